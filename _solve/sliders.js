// A slider of the page: its stops are numbers, and what stands beside it says which.

// label: with an input, whose stops are 0, 1, …, and an output; stops: the numbers; said: a number in words; moved: called
// when the reader has moved it. Returns what reads the number and what puts the slider back.
function sliderOf(label, stops, said, moved) {
  const input = label.querySelector("input"), output = label.querySelector("output"), start = input.value;
  const show = () => {
    output.textContent = said(stops[input.value]);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    show();
    moved();
  });
  show();
  return {
    read: () => stops[input.value],
    back: () => {
      input.value = start;
      show();
    },
  };
}

const spaced = (from, to, steps) => Array.from({length: steps + 1}, (_, i) => from + i / steps * (to - from));
