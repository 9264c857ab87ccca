import type { Effect, Json, OfferedOperation, OfferedTool, Properties } from "@pergola/sdk";

type Example = readonly [say: string, args: Readonly<Record<string, Json>>];

export const operation = (
  [name, effect]: readonly [name: string, effect: Effect],
  parameters: Properties,
  required: readonly string[],
  ...examples: readonly Example[]
): OfferedOperation => ({
  name,
  description: `${name.replaceAll("_", " ")}.`,
  effects: [effect],
  parameters,
  required,
  examples: examples.map(([say, args]) => ({ say, arguments: args })),
});

export const family = (
  name: string,
  description: string,
  ...operations: readonly OfferedOperation[]
): OfferedTool => ({
  name,
  description,
  parameters: { type: "object" },
  operations,
});

export const text = { type: "string" } as const;
const path = { type: "string", format: "path" } as const;
const lines = {
  startLine: { type: "integer" },
  endLine: { type: "integer" },
  limit: { type: "integer", default: 2000 },
} as const;

/** A few operations on files, as the host would offer them. */
export const files = family(
  "file_operations",
  "Read and change files.",
  operation(
    ["read_file", "read"],
    { filePath: path, ...lines },
    ["filePath"],
    ["read README.md", { filePath: "README.md" }],
    ["what is in package.json?", { filePath: "package.json" }],
    ["show me lines 10 to 20 of src/main.ts", { filePath: "src/main.ts", startLine: 10, endLine: 20 }],
  ),
  operation(
    ["list_dir", "read"],
    { filePath: path, recursive: { type: "boolean", default: false } },
    ["filePath"],
    ["list the files in src", { filePath: "src" }],
    ["what is in the folder docs?", { filePath: "docs" }],
    ["list everything below lib recursively", { filePath: "lib", recursive: true }],
  ),
  operation(
    ["get_file_info", "read"],
    { filePath: path },
    ["filePath"],
    ["how big is video.mp4?", { filePath: "video.mp4" }],
    ["when was report.pdf last changed?", { filePath: "report.pdf" }],
  ),
  operation(
    ["append_file", "write"],
    { filePath: path, content: text },
    ["filePath", "content"],
    ['append "bye" to log.txt', { filePath: "log.txt", content: "bye" }],
    ['add "milk" to shopping.txt', { filePath: "shopping.txt", content: "milk" }],
  ),
  operation(
    ["rename_file", "write"],
    { oldPath: path, newPath: path },
    ["oldPath", "newPath"],
    ["rename draft.md to final.md", { oldPath: "draft.md", newPath: "final.md" }],
  ),
  operation(
    ["delete_file", "destructive"],
    { filePath: path },
    ["filePath"],
    ["delete old.txt", { filePath: "old.txt" }],
    ["get rid of draft.md", { filePath: "draft.md" }],
  ),
);

/** Families that nobody had in mind when the guide was written. */
export const weather = family(
  "weather",
  "The weather.",
  operation(
    ["current", "read"],
    { city: text },
    [],
    ["what is the weather in Oslo?", { city: "Oslo" }],
    ["how warm is it in Rome now", { city: "Rome" }],
  ),
);

export const reminders = family(
  "reminders",
  "Reminders.",
  operation(
    ["create_reminder", "write"],
    { title: text, due: { type: "string", format: "date-time" } },
    ["title"],
    ['remind me of "call Ann" on 2026-11-21 at 15:00', { title: "call Ann", due: "2026-11-21T15:00:00" }],
    ['create a reminder "buy milk"', { title: "buy milk" }],
  ),
  operation(
    ["list_reminders", "read"],
    {},
    [],
    ["list my reminders", {}],
    ["which reminders do I have?", {}],
  ),
);

/** A tool that the caller runs: no operations, no examples. */
export const stockPrice: OfferedTool = {
  name: "get_stock_price",
  description: "Get the current price of a stock.",
  callers: true,
  parameters: {
    type: "object",
    properties: { symbol: { type: "string", description: "Ticker symbol" } },
    required: ["symbol"],
  },
};
