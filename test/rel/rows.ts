import { incidents } from "./incidents.ts";
import type { Row } from "./row.ts";

const faults = (name: string): string => `test/faults/${name}.test.ts`;
const wire = (name: string): string => `test/wire/${name}.test.ts`;
const plugin = (id: string, name: string): string => `plugins/${id}/test/${name}.test.ts`;

/** Every promise with its figures; the goals are those of two cores. */
export const rows: readonly Row[] = [
  {
    id: "R1",
    what: "What was acknowledged is kept through losses of power and kill -9",
    files: [faults("power-cuts"), plugin("storage-sqlite", "durability")],
    sizes: { POWER_CUTS: 500, STORE_KILLS: 300 },
    counted: { "kills of the store": /through (\d+) kills/, faults: /through (\d+) kills/ },
    bounds: [
      { figure: "power cuts", atLeast: 500 },
      { figure: "kills of the store", atLeast: 300 },
      { figure: "lost", atMost: 0 },
      { figure: "corrupt", atMost: 0 },
    ],
  },
  {
    id: "R2",
    what: "No effect happens twice unseen, wherever a tool loop is killed, however it is resumed",
    files: ["kill-9", "effects-once", "durable", "approval-after-kill", "json-killed"].map(faults),
    sizes: { KILLS: 210 },
    bounds: [
      { figure: "kills in tool loops", atLeast: 200 },
      { figure: "doubtful calls reported", atLeast: 20 },
      { figure: "tests of one phase each", atLeast: 20 },
    ],
    counted: { "tests of one phase each": /calls cut by kill|runs\.resume|after kill -9/ },
  },
  {
    id: "R4",
    what: "Each call to the system that can fail, failed once in twelve core scenarios",
    files: [faults("torture")],
    sizes: { TORTURE_EVERY: 1 },
    bounds: [
      { figure: "failed calls", atLeast: 600 },
      { figure: "wrong answers", atMost: 0 },
      { figure: "descriptors left open", atMost: 0 },
    ],
  },
  {
    id: "R5",
    what: "Bad inputs are refused in the one shape, and nothing comes of them",
    files: [
      faults("bad-inputs"),
      wire("refused-requests"),
      plugin("tool-version-control", "hostile"),
      plugin("tool-document-operations", "hostile-documents"),
      "test/core/**/*.test.ts",
      "test/sdk/event-frames.test.ts",
    ],
    sizes: { GENERATED_INPUTS: 5000, GIT_OPERATIONS_EVERY: 1 },
    bounds: [
      { figure: "fixed inputs", atLeast: 1340 },
      { figure: "generated inputs", atLeast: 5000 },
      { figure: "inputs answered wrongly", atMost: 0 },
      { figure: "unforeseen errors in the log", atMost: 0 },
    ],
  },
  {
    id: "R6",
    what: "Incidents of other products do not happen here",
    files: ["test/rel/incidents.test.ts", ...new Set(incidents.flatMap(({ file }) => file || []))],
    counted: { "tests of their files": /./ },
    bounds: [
      { figure: "incidents with a test", atLeast: 79 },
      { figure: "tests of their files", atLeast: 260 },
    ],
  },
  {
    id: "R7",
    what: "A folder that is swapped for a link lets nothing out and nothing in",
    files: [plugin("bridge-machine", "race"), plugin("bridge-machine", "walk")],
    sizes: { RACES: 10 },
    counted: {
      "reads under swap": /nothing out in (\d+) reads/,
      "creates under swap": /nothing out in (\d+) creates/,
    },
    bounds: [
      { figure: "reads under swap", atLeast: 60_000 },
      { figure: "creates under swap", atLeast: 15_000 },
    ],
  },
  {
    id: "R8",
    what: "No form of a private address makes a connection",
    files: ["fetch", "stream", "provider-fetch"]
      .map((name) => plugin("bridge-machine", name))
      .concat("sdk/kits/addresses/test/addresses.test.ts", wire("tools-addresses")),
    counted: { "forms of addresses without a connection": /makes a connection \((\d+) forms\)/ },
    bounds: [{ figure: "forms of addresses without a connection", atLeast: 90 }],
  },
  {
    id: "R9",
    what: "Hostile patterns hold nobody up",
    files: [plugin("tool-file-operations", "hostile-patterns")],
    alone: true,
    counted: { "hostile patterns": /answers at once|does not hold up|covers it all/ },
    bounds: [{ figure: "hostile patterns", atLeast: 50 }],
  },
  {
    id: "R10",
    what: "Nothing runs unapproved or twice, and questions survive",
    files: [
      ...["approvals", "approvals-answered", "approvals-restart", "agents-approvals"].map(wire),
      ...["grants", "questions", "waiting-note"].map(wire),
      faults("approval-after-kill"),
      faults("approval-answers"),
    ],
    bounds: [
      { figure: "wrong answers tried", atLeast: 60 },
      { figure: "races of 20 answers", atLeast: 50 },
      { figure: "unapproved or double runs", atMost: 0 },
    ],
  },
  {
    id: "R11",
    what: "A plugin that goes wrong takes nothing else along, and gets nothing it was not given",
    files: [
      "test/isolation/*.test.ts",
      faults("broken-plugins"),
      faults("broken-plugins-terminal"),
      "plugins/service-isolation/test/*.test.ts",
    ],
    counted: { "plugins that went wrong": /F12|broken plugins|built form|tiers?/ },
    bounds: [{ figure: "plugins that went wrong", atLeast: 36 }],
  },
  {
    id: "R12",
    what: "A thousand streams at once, and three thousand, whole and on time",
    files: [faults("load")],
    sizes: { STREAMS: 1000, MORE_STREAMS: 3000, BURST: 1 },
    alone: true,
    bounds: [
      { figure: "streams", atLeast: 1000 },
      { figure: "streams failed", atMost: 0 },
      { figure: "ms added to a chunk, p99", atMost: 25 },
      { figure: "megabytes under streams", atMost: 400 },
      { figure: "streams, many", atLeast: 3000 },
      { figure: "streams failed, many", atMost: 0 },
      { figure: "ms added to a chunk, p99, many", atMost: 100 },
    ],
  },
  {
    id: "R13",
    what: "Ten thousand chats, all stored, over a thousand connections",
    files: [faults("load")],
    sizes: { STREAMS: 1, BURST: 10_000 },
    alone: true,
    bounds: [
      { figure: "chats", atLeast: 10_000 },
      { figure: "chats failed or not stored", atMost: 0 },
      { figure: "seconds for all chats", atMost: 30 },
      { figure: "megabytes under chats", atMost: 600 },
    ],
  },
  {
    id: "R14",
    what: "A client that goes away stops the model, and leaves nothing open",
    files: [faults("disconnects"), wire("stream-ends"), wire("tools-cancel"), wire("agents-ends")],
    sizes: { DISCONNECTS: 200 },
    alone: true,
    bounds: [
      { figure: "disconnects", atLeast: 200 },
      { figure: "ms to stop the model, p99", atMost: 1000 },
      { figure: "descriptors left open", atMost: 0 },
    ],
  },
  {
    id: "R15",
    what: "SIGTERM ends everything properly, with 50 streams and 20 questions too",
    files: [faults("drain"), wire("shutdown-answers"), faults("durable")],
    sizes: { DRAINS: 31 },
    bounds: [
      { figure: "SIGTERM cases", atLeast: 32 },
      { figure: "streams cut off", atMost: 0 },
      { figure: "questions lost", atMost: 0 },
      { figure: "milliseconds of the slowest stop", atMost: 30_000, largest: true },
    ],
  },
  {
    id: "R16",
    what: "No key of a provider gets out, anywhere",
    files: [faults("canaries"), faults("canary-watch"), wire("redaction"), "test/sdk/redaction.test.ts"],
    counted: { "looks for a key": /keys|key|redact/i },
    bounds: [{ figure: "looks for a key", atLeast: 10 }],
  },
  {
    id: "R17",
    what: "Hours of mixed work: memory and descriptors stay",
    files: ["test/rel/soak.test.ts"],
    sizes: { SOAK_MINUTES: 480 },
    nightly: true,
    bounds: [
      { figure: "megabytes of heap more in an hour", atMost: 1 },
      { figure: "descriptors more in an hour", atMost: 0 },
    ],
  },
  {
    id: "R18",
    what: "Speaks MCP as its conformance suite wants it",
    files: [wire("mcp-conformance"), wire("mcp-server"), wire("mcp-client")],
    counted: { "scenarios of the suite": /conformance suite.*passes/ },
    bounds: [{ figure: "scenarios of the suite", atLeast: 23 }],
  },
  {
    id: "R19",
    what: "Every limit stands in the docs, made from the schema of settings",
    files: ["test/architecture/docs.test.ts"],
    counted: { "pages made from the schemas": /generated pages up to date|reference of the HTTP API/ },
    bounds: [{ figure: "pages made from the schemas", atLeast: 2 }],
  },
  {
    id: "R20",
    what: "Few packages, pinned, of which only those on the list run scripts when installed",
    files: ["test/rel/packages.test.ts", "test/architecture/declared-packages.test.ts"],
    bounds: [
      { figure: "packages at run time", atMost: 480 },
      { figure: "packages without integrity", atMost: 0 },
      { figure: "packages with install scripts beyond the list", atMost: 0 },
    ],
  },
  {
    id: "R21",
    what: "Disks that fail, stores that are damaged, programs in the way, clocks that jump",
    files: [
      faults("hindrances"),
      faults("storage-trouble"),
      faults("downloads"),
      faults("downloads-disk"),
      faults("downloads-kill"),
      faults("endless-answers"),
      faults("changes"),
      wire("failures"),
      wire("model-faults"),
      wire("memory-crash"),
      wire("memory-kill"),
      plugin("bridge-machine", "spawn"),
      ...["disk", "refusal", "lock", "migrate", "event-loop", "worker-crash"].map((name) =>
        plugin("storage-sqlite", name),
      ),
      "plugins/tool-remote-execution/test/*.test.ts",
    ],
    mayMiss: { "small disk": "a small disk needs root and mount" },
    counted: { faults: /./ },
    bounds: [{ figure: "faults", atLeast: 250 }],
  },
  {
    id: "R22",
    what: "Isolated plugins cost a start little, and memory once they are used",
    files: ["test/boundary/start-figures.test.ts"],
    alone: true,
    bounds: [
      { figure: "ms of a start more for three isolated plugins", atMost: 250 },
      { figure: "megabytes of an isolated plugin in use (PSS)", atMost: 60 },
    ],
  },
];

/** What all rows have injected together. */
export const summary: Row = {
  id: "R3",
  what: "All faults that were injected, over all rows: no crash, no hang, no wrong answer",
  files: [],
  bounds: [{ figure: "faults", atLeast: 2000 }],
};
