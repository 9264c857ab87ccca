import { connectByCommand, program, versionOf, withPergola, type Client, type Place } from "../client.ts";

const settings = ({ home }: Place): string => `${home}/.config/Claude/claude_desktop_config.json`;

/** Calls of the file tools, as lines for a shell, by the feature. */
const lines: Readonly<Record<string, readonly string[]>> = {
  answer: ['use create_file "content=$(cat quarry/stone-1.txt)"', "use read_file"],
  error: ["file=quarry/quartz.txt", "use read_file"],
};

/** At the command line, where it reads the settings of Claude Desktop. */
export const mcpInspector: Client = {
  name: "Claude Desktop, by MCP Inspector: MCP",
  row: "claude-desktop",
  packages: ["@modelcontextprotocol/inspector"],
  isMcp: true,
  // It makes one call and ends, always under the same name.
  lacks: ["stream", "arguments", "steps", "parallel", "cancel", "resume"],
  tool: { names: [], arguments: () => ({}) },
  prepare: (place) => connectByCommand(place, "claude-desktop", "--url", place.url),
  check: versionOf("mcp-inspector"),
  command: ({ prompt }, place) => ({
    words: [
      ...["sh", "-c"],
      [
        "file=quarry/stone-1.txt",
        'use() { operation="operation=$1"; shift; "$inspector" --cli --config "$settings" --server pergola ' +
          "--method tools/call --tool-name file_operations " +
          '--tool-arg "$operation" --tool-arg "filePath=$file" ${1:+--tool-arg} ${1:+"$1"}; }',
        ...(lines[prompt] ?? []),
      ].join("\n"),
    ],
    environment: {
      ...withPergola(place),
      inspector: program(place, "mcp-inspector"),
      settings: settings(place),
    },
  }),
  answer: (output) => `The stones say ${output.match(/stone-\d-[0-9a-f]{8}/g)?.at(-1) ?? "nothing"}.`,
};
