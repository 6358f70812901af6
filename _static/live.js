// A picture with sliders on the first page: its data are fetched when a reader first touches it.
document.addEventListener("DOMContentLoaded", () => {
  for (const picture of document.querySelectorAll(".live[data-script]")) {
    const wake = () => {
      if (picture.dataset.state) return;
      picture.dataset.state = "asked";
      const script = document.createElement("script");
      script.src = picture.dataset.script;
      script.addEventListener("load", () => { picture.dataset.state = "awake"; });
      document.head.append(script);
    };
    for (const touch of ["pointerenter", "pointerdown", "focusin", "input"]) picture.addEventListener(touch, wake);
  }
});
