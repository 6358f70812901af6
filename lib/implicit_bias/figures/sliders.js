// Shows the frame nearest to the sum of the stops. Called with the data of one picture; its positions increase.
((data) => {
  const root = document.getElementById(data.name);
  const inputs = [...root.querySelectorAll("input")], values = [...root.querySelectorAll("output")];
  const moving = [...root.querySelectorAll(".moving")], pictures = [...root.querySelectorAll("svg")], said = [...root.querySelectorAll(".said b")];
  const show = () => {
    let sum = 0;
    inputs.forEach((input, i) => {
      sum += data.terms[i][input.value];
      values[i].textContent = data.texts[i][input.value];
      input.setAttribute("aria-valuetext", data.texts[i][input.value]);
    });
    let frame = 0;
    data.positions.forEach((p, i) => {
      if (Math.abs(p - sum) < Math.abs(data.positions[frame] - sum)) frame = i;
    });
    moving.forEach((path, i) => {
      const {x, y, dots} = data.panels[i], across = x[frame] ?? x[0];
      const points = across.map((a, j) => (dots || !j ? "M" : "L") + a + " " + y[frame][j] + (dots ? "h0" : ""));
      path.setAttribute("d", points.join(""));
      const mark = data.panels[i].mark;
      if (mark) pictures[i].querySelector(".mark").setAttribute("d", "M" + mark[frame].join(" ") + "h0");
    });
    const words = data.said.map((texts) => texts[frame]);
    if (words.length < said.length) words.unshift((10 ** sum).toExponential(1));
    said.forEach((b, i) => { b.textContent = words[i]; });
  };
  inputs.forEach((input) => input.addEventListener("input", show));
  show();
})
