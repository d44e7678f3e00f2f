"use strict";

const at = (id) => document.getElementById(id);

/** An element with text, class and children. Texts are never read as HTML. */
function make(tag, { text, className, children = [] } = {}) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  element.append(...children);
  return element;
}

async function explain() {
  const headers = { "Content-Type": "application/json" };
  if (at("key").value) headers.Authorization = `Bearer ${at("key").value}`;
  const response = await fetch("/v1/privacy/explain", {
    method: "POST",
    headers,
    body: JSON.stringify({
      message: at("message").value,
      reference: at("reference").value || null,
      model: at("model").value || null,
      answer: at("answer").checked,
    }),
  });
  const told = await response.json();
  if (!response.ok) throw new Error(told.error.message);
  return told;
}

/** The message with each mention marked. Spans count code points, as Python does. */
function marked(told) {
  const points = Array.from(told.text);
  const mentions = told.attributes.flatMap((own) =>
    own.mentions.map(({ start, end }) => ({ own, start, end })));
  mentions.sort((a, b) => a.start - b.start);
  const pieces = [];
  let end = 0;
  for (const mention of mentions) {
    pieces.push(points.slice(end, mention.start).join(""));
    const value = points.slice(mention.start, mention.end).join("");
    pieces.push(make("mark", {
      className: mention.own.kept ? "kept" : "",
      children: [value, make("small", { text: mention.own.label })],
    }));
    end = mention.end;
  }
  return [...pieces, points.slice(end).join("")];
}

/** A text with its placeholders marked. */
function withPlaceholders(text, attributes) {
  const known = new Set(attributes.map((own) => own.placeholder));
  return text.split(/(\[[^\]\s]+\])/).map((piece) =>
    known.has(piece) ? make("mark", { text: piece }) : piece);
}

function influenceRow(own, most) {
  const name = make("th", {
    children: [own.value, make("div", { text: own.placeholder, className: "legend" })],
  });
  name.scope = "row";
  const decision = own.kept ? "sent" : own.sent_as ? `sent as ${own.sent_as}` : "withheld";
  return make("tr", {
    className: own.kept ? "kept" : "",
    children: [
      name,
      make("td", { children: measured(own, most) }),
      make("td", { text: `${decision}: ${own.reason}` }),
    ],
  });
}

/** The influence as number and bar, with what was tried in the value's place. */
function measured(own, most) {
  if (own.influence === null) return ["not measured"];
  const bar = make("div", { className: "bar" });
  bar.style.width = `${100 * Math.max(0, own.influence) / most}%`;
  const tried = (own.substitutes || [])
    .map(({ value, change }) => `${value} ${change.toFixed(2)}`).join(", ");
  return [own.influence.toFixed(2), bar, make("div", { text: tried, className: "legend" })];
}

function show(told) {
  at("found").replaceChildren(...marked(told));
  const kept = told.attributes.filter((own) => own.kept).length;
  at("legend").textContent =
    `${told.attributes.length} values: ${kept} sent, ${told.attributes.length - kept} withheld.`;
  at("query").textContent = told.query;
  at("hits").replaceChildren(...told.hits.map((hit) => make("li", {
    children: [
      make("strong", { text: hit.title || "Untitled" }),
      ` ${hit.score.toFixed(2)}`,
      make("p", { text: hit.text }),
    ],
  })));
  at("measured").textContent = told.reference
    ? `By the answer ${told.drafted ? "that the local model drafted" : "given"}: ${told.reference}`
    : "Nothing had to be measured.";
  const most = Math.max(0.01, ...told.attributes.map((own) => own.influence || 0));
  at("influence").replaceChildren(...told.attributes.map((own) => influenceRow(own, most)));
  at("sent").replaceChildren(...withPlaceholders(told.message, told.attributes));
  at("messages").textContent =
    told.messages.map((own) => `${own.role}\n${own.content}`).join("\n\n");
  const { raw, restored } = told.answer || { raw: "", restored: "" };
  at("answered").hidden = !told.answer;
  at("raw").replaceChildren(...withPlaceholders(raw, told.attributes));
  at("restored").textContent = restored;
  at("timings").textContent = "Milliseconds: " + Object.entries(told.timings_ms)
    .map(([stage, ms]) => `${stage} ${ms.toFixed(0)}`).join(", ");
  at("result").hidden = false;
}

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("go").disabled = true;
  at("status").className = "";
  at("status").textContent = "Working";
  try {
    show(await explain());
    at("status").textContent = "Done";
  } catch (error) {
    at("result").hidden = true;
    at("status").className = "error";
    at("status").textContent = error.message;
  } finally {
    at("go").disabled = false;
  }
});
