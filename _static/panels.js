/* Figures of equally wide panels side by side: on a narrow screen one below the other, each as wide as the screen.
   An image of the class panels-2 holds two panels; every one is the image again, shifted in a box that shows one. */
document.addEventListener("DOMContentLoaded", () => {
  for (const image of document.querySelectorAll(".bd-article img[class*=panels-]")) {
    const count = Number([...image.classList].find((name) => /^panels-\d$/.test(name))?.slice(7));
    const box = document.createElement("span");
    box.className = "panels";
    box.style.setProperty("--panels", count);
    image.replaceWith(box);
    for (let k = 0; k < count; k += 1) {
      const panel = document.createElement("span");
      const picture = k ? image.cloneNode() : image;
      if (k) {
        picture.alt = "";
        picture.removeAttribute("id");
      }
      panel.style.setProperty("--panel", k);
      panel.append(picture);
      box.append(panel);
    }
  }
});
