import { now, serviceDoor } from "./client.ts";
import { openStreams } from "./streams.ts";

// Reads the streams of a service, and tells how long their texts were under way: milliseconds, as JSON, each
// time a line is written to it. A process of its own, which has nothing to do and no garbage beside that.

const [, , port = "", count = ""] = process.argv;
const delays: number[] = [];
const door = serviceDoor(Number(port));
const streams = await openStreams(door, "s-2000-50", {
  count: Number(count),
  over: 1000,
  onMark: (sent) => delays.push(now() - sent),
});
await streams.begun(60_000);
process.stdout.write("begun\n");
process.stdin.on("data", () => process.stdout.write(`${JSON.stringify(delays.splice(0))}\n`));
process.stdin.on("end", () => process.exit(0));
