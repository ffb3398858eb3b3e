// Draws the step series with uPlot. The tables beneath hold the same values.
"use strict";
(() => {
  const DASHES = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 2], [8, 2], [4, 4], [12, 4]];
  const LIGHT = ["#0a6570", "#b3541e", "#62399b", "#3a7d1f", "#ad1f5c", "#1c5a96", "#7d6100", "#54606d"];
  const DARK = ["#5fc4cf", "#f2a06a", "#c6a8f5", "#9fd37f", "#f291bd", "#8dbdf0", "#e0c561", "#a0acb8"];
  let drawn = [];

  const dark = () => {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const short = (value) => value === null || value === undefined ? "–"
    : Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2)
      : String(Number(value.toPrecision(5)));

  // A vertical line at the first bad step, and a cross below each value that is no number.
  const marks = (chart) => (plot) => {
    const context = plot.ctx;
    const { left, top, width, height } = plot.bbox;
    const ratio = devicePixelRatio || 1;
    context.save();
    context.strokeStyle = context.fillStyle = colour("--red");
    context.lineWidth = 1.5 * ratio;
    const odd = new Set();
    for (const line of chart.lines) {
      line.values.forEach((value, index) => {
        if (value === "nan" || value === "inf" || value === "-inf") odd.add(chart.steps[index]);
      });
    }
    for (const step of odd) {
      const x = plot.valToPos(step, "x", true);
      const y = top + height - 7 * ratio;
      const arm = 3 * ratio;
      context.beginPath();
      context.moveTo(x - arm, y - arm); context.lineTo(x + arm, y + arm);
      context.moveTo(x + arm, y - arm); context.lineTo(x - arm, y + arm);
      context.stroke();
    }
    if (chart.bad) {
      const x = plot.valToPos(chart.bad.step, "x", true);
      context.setLineDash([5 * ratio, 4 * ratio]);
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, top + height);
      context.stroke();
      context.font = `600 ${11 * ratio}px system-ui, sans-serif`;
      const late = x > left + width * 0.7;
      context.textAlign = late ? "right" : "left";
      context.fillText(String(chart.bad.step), x + (late ? -5 : 5) * ratio, top + 12 * ratio);
    }
    context.restore();
  };

  const draw = (figure, chart) => {
    const target = figure.querySelector(".plot");
    target.replaceChildren();
    const palette = dark() ? DARK : LIGHT;
    const grid = { stroke: colour("--line"), width: 1 };
    const axis = { stroke: colour("--soft"), grid, ticks: { ...grid, size: 4 }, font: "11px system-ui, sans-serif" };
    const series = chart.lines.map((line, index) => ({
      label: line.label,
      stroke: palette[index % palette.length],
      dash: DASHES[index % DASHES.length],
      width: line.kind === "lowest" || line.kind === "highest" ? 1 : 1.6,
      spanGaps: false,
      points: { show: chart.steps.length < 40, size: 4 },
      value: (_, value) => short(value),
    }));
    const options = {
      width: Math.max(240, figure.clientWidth - 34),
      height: 190,
      scales: { x: { time: false } },
      cursor: { y: false, points: { size: 6 } },
      legend: { show: true },
      series: [{ label: "step", value: (_, value) => value === null ? "–" : String(value) }, ...series],
      axes: [{ ...axis, size: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5] },
        { ...axis, size: 54, values: (_, values) => values.map(short) }],
      hooks: { draw: [marks(chart)] },
    };
    const data = [chart.steps, ...chart.lines.map((line) =>
      line.values.map((value) => typeof value === "number" ? value : null))];
    const plot = new uPlot(options, data, target);
    figure.dataset.drawn = "yes";
    return { figure, plot };
  };

  const drawAll = () => {
    const source = document.getElementById("chart-data");
    if (!source || typeof uPlot === "undefined") return;
    const charts = JSON.parse(source.textContent);
    for (const { plot } of drawn) plot.destroy();
    drawn = Array.from(document.querySelectorAll("figure.chart"), (figure) =>
      draw(figure, charts[Number(figure.dataset.index)]));
  };

  const begin = () => {
    drawAll();
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth === width) return;
      width = innerWidth;
      for (const { figure, plot } of drawn) {
        plot.setSize({ width: Math.max(240, figure.clientWidth - 34), height: 190 });
      }
    });
    document.addEventListener("themechange", drawAll);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin);
  else begin();
})();
