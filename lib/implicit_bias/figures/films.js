// Plays the frames of one film. Called with its name, its frames, what each of them shows, and the milliseconds of each.
((data) => {
  const film = document.getElementById(data.name);
  const picture = film.querySelector("img"), bar = film.querySelector(".film-controls");
  const button = film.querySelector("button"), slider = film.querySelector("input"), words = film.querySelector("output");
  const last = data.frames.length - 1;
  let timer = null;
  const show = (k) => {
    picture.src = data.frames[k];
    slider.value = k;
    if (words) {
      words.textContent = data.said[k];
      slider.setAttribute("aria-valuetext", data.said[k]);
    }
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    button.textContent = "▶ play";
    button.setAttribute("aria-label", "play");
  };
  const play = () => {
    if (+slider.value >= last) show(0);
    button.textContent = "❚❚ pause";
    button.setAttribute("aria-label", "pause");
    timer = setInterval(() => {
      if (+slider.value < last) show(+slider.value + 1);
      else stop();
    }, data.interval);
  };
  button.addEventListener("click", () => (timer ? stop() : play()));
  slider.addEventListener("input", () => {
    stop();
    show(+slider.value);
  });
  bar.hidden = false;
  bar.style.display = "flex";
})
