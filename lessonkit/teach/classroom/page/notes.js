// The two notes of one learner: which is up is asked of the server, as the instructor may have taken it off.
const buttons = [...document.querySelectorAll("button[data-note]")];
const said = document.getElementById("said");
const WORDS = { "": "No note is up.", help: "Your call for help is up.", done: "The page shows that you are done." };

const show = note => {
  for (const button of buttons) button.setAttribute("aria-pressed", `${button.dataset.note === note}`);
  if (said.textContent !== WORDS[note]) said.textContent = WORDS[note];
};

const tell = async body => {
  try {
    const answer = await fetch(location.pathname, { method: "POST", body: JSON.stringify(body) });
    if (answer.ok) show((await answer.json()).note);
    else said.textContent = await answer.text();
  } catch {
    said.textContent = "The instructor's page does not answer. Is it still open?";
  }
};

for (const button of buttons)
  button.addEventListener("click", () => tell({ note: button.getAttribute("aria-pressed") === "true" ? "" : button.dataset.note }));
tell({});
setInterval(() => tell({}), 5000);
