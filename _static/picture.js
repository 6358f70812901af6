/* Below each figure a link to its picture, to be kept or shown at its full size. */
document.addEventListener("DOMContentLoaded", () => {
  for (const caption of document.querySelectorAll(".bd-article figure > figcaption")) {
    const image = caption.parentElement.querySelector("img[src]");
    if (!image || image.src.startsWith("data:")) continue;
    const link = document.createElement("a");
    link.className = "picture-link";
    link.href = image.src;
    link.textContent = `picture, ${image.src.split(".").pop().toUpperCase()}`;
    link.setAttribute("aria-label", `${link.textContent}, of ${caption.querySelector(".caption-number")?.textContent.trim() ?? "the figure"}`);
    caption.append(link);
  }
});
