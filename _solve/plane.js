// A piece of the plane in an SVG: where its points are drawn, and which point a reader means.
const signed = (text) => text.replaceAll("-", "−").replace("+", "");
const words = (list) => list.map((entry) => signed(entry.toFixed(2))).join(", ");
const digits = (number) => signed(number.toPrecision(7));
const small = (number) => (number === 0 ? "0" : signed(Math.abs(number).toExponential(0)));

// svg: drawn in its own units; across, up: the ends of the axes in the plane; box: where they are drawn.
function plane(svg, across, up = across, box = {left: 10, right: 310, top: 10, bottom: 310}) {
  const along = (value, [low, high], from, to) => from + (value - low) / (high - low) * (to - from);
  const at = ([x, y]) => [along(x, across, box.left, box.right), along(y, up, box.bottom, box.top)];
  const text = (point) => at(point).map((value) => value.toFixed(1)).join(" ");
  return {
    across, up, text,
    dot: (point) => `M${text(point)}h0`,
    line: (points, end = "") => points.map((point, i) => (i ? "L" : "M") + text(point)).join("") + (points.length ? end : ""),
    meant: ({clientX, clientY}) => {
      const seen = svg.getBoundingClientRect(), unit = seen.width / svg.viewBox.baseVal.width;
      const x = (clientX - seen.left) / unit, y = (clientY - seen.top) / unit;
      return [along(x, [box.left, box.right], ...across), along(y, [box.bottom, box.top], ...up)];
    },
  };
}
