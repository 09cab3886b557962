// Shows the values under the pointer. Everything can be read without it.
document.querySelectorAll("svg.chart").forEach((svg) => {
  const series = JSON.parse(svg.dataset.hover || "[]").filter((one) => one[2].length);
  if (!series.length) return;
  const [top, bottom] = svg.dataset.edges.split(" ");
  const make = (name, parent) => parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", name));
  const layer = make("g", svg);
  const rule = make("line", layer);
  rule.setAttribute("class", "rule");
  rule.setAttribute("y1", top);
  rule.setAttribute("y2", bottom);
  const dots = series.map((one) => {
    const dot = make("circle", layer);
    dot.setAttribute("r", 3.5);
    dot.style.fill = one[1];
    return dot;
  });
  layer.style.display = "none";
  const tip = svg.parentNode.appendChild(document.createElement("div"));
  tip.className = "tip";
  tip.hidden = true;
  const leave = () => {
    layer.style.display = "none";
    tip.hidden = true;
  };
  const move = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const at = (event.clientX - box.left) * scale;
    const nearest = (points) =>
      points.reduce((best, point) => (Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best));
    const found = series.map((one) => nearest(one[2]));
    const place = nearest(found);
    layer.style.display = "";
    rule.setAttribute("x1", place[0]);
    rule.setAttribute("x2", place[0]);
    tip.textContent = "";
    const head = tip.appendChild(document.createElement("b"));
    head.textContent = svg.dataset.x + " " + place[2];
    found.forEach((point, index) => {
      const near = Math.abs(point[0] - place[0]) < 12;
      dots[index].style.display = near ? "" : "none";
      dots[index].setAttribute("cx", point[0]);
      dots[index].setAttribute("cy", point[1]);
      if (!near) return;
      const row = tip.appendChild(document.createElement("span"));
      const swatch = row.appendChild(document.createElement("i"));
      swatch.style.background = series[index][1];
      row.append((series[index][0] ? series[index][0] + " " : "") + point[3]);
    });
    tip.hidden = false;
    const x = place[0] / scale;
    const right = x > box.width / 2;
    tip.style.left = right ? "auto" : x + 12 + "px";
    tip.style.right = right ? box.width - x + 12 + "px" : "auto";
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointerleave", leave);
});
