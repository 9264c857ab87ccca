// Asks a host for small things, again and again, and tells how long each took. In a thread of its own, so that
// what else the test does is not measured.
import { parentPort, workerData } from "node:worker_threads";
import { setTimeout } from "node:timers/promises";

let isOver = false;
parentPort.once("message", () => (isOver = true));
// The first request of a thread loads what requests need.
await (await fetch(workerData.url + workerData.routes[0])).text();
parentPort.postMessage("ready");
const times = [];
while (!isOver) {
  for (const route of workerData.routes) {
    const begun = performance.now();
    const answer = await fetch(workerData.url + route);
    await answer.text();
    if (!answer.ok) throw new Error(`${route} was answered with ${answer.status}`);
    times.push(performance.now() - begun);
  }
  await setTimeout(20);
}
parentPort.postMessage(times);
parentPort.close();
