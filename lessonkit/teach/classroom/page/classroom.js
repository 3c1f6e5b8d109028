// The page follows the server: all at first, then what changes; a connection that breaks is made again.
import { Room } from "./model.js";
import { View } from "./view.js";

const link = document.getElementById("link");
const LONGEST = 10_000; // ms between two tries
let room, view, pause;

const say = (live, words) => {
  if (link.textContent !== words) link.textContent = words; // a screen reader says each change
  link.dataset.live = live ? "yes" : "no";
};

const connect = () => {
  const socket = new WebSocket(`ws://${location.host}/live`);
  socket.onmessage = event => {
    const message = JSON.parse(event.data);
    if (message.about) {
      room = new Room(message.about);
      view = new View(room);
    }
    view.changed(room.take(message));
    pause = 500;
    say(true, "● live");
  };
  socket.onclose = () => {
    say(false, "○ not connected, trying again: is `course classroom` still running?");
    pause = Math.min(2 * (pause ?? 500), LONGEST);
    setTimeout(connect, pause);
  };
};

document.getElementById("clear").addEventListener("click", () => fetch("/notes", { method: "POST" }));
connect();
setInterval(() => view?.marks(), 1000);
