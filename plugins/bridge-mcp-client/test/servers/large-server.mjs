// An MCP server with 161 tools over stdio, made with the official package. Their schemas have nested fields,
// and parameters of the same name mean other things in other tools.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const text = (description) => ({ type: "string", description });

const editFile = {
  name: "edit_file",
  description:
    "Make line-based edits to a text file. Each edit replaces exact line sequences with new content.",
  inputSchema: {
    type: "object",
    properties: {
      path: text("The file to edit"),
      edits: {
        type: "array",
        description: "In the order in which they are made",
        items: {
          type: "object",
          properties: { oldText: text("Text to search for"), newText: text("Text to replace it with") },
          required: ["oldText", "newText"],
        },
      },
      dryRun: { type: "boolean", default: false, description: "Only show what would change" },
    },
    required: ["path", "edits"],
  },
};

const record = (index) => ({
  name: `update_record_${index}`,
  description:
    `Change the record of kind ${index} in the project's database. Fields that are not given stay as they ` +
    "are, and the record's version is checked first so that no change of anybody else is lost on the way.",
  inputSchema: {
    type: "object",
    properties: {
      id:
        index % 2
          ? text(`Id of the record of kind ${index}`)
          : { type: "integer", description: "Its number" },
      fields: {
        type: "object",
        description: `What to change in a record of kind ${index}`,
        properties: {
          [`title_${index}`]: text("A short title for lists"),
          labels: { type: "array", items: { type: "string" }, description: "All of its labels" },
          owner: {
            type: "object",
            description: "Who looks after it",
            properties: { name: text("Full name"), team: text("Name of the team") },
            required: ["name"],
          },
        },
      },
      version: { type: "integer", description: "The version that was read last" },
      notify: { type: "boolean", default: true, description: "Whether to write to those who follow it" },
    },
    required: ["id", "fields"],
  },
});

const tools = [editFile, ...Array.from({ length: 160 }, (_, index) => record(index))];

const server = new Server({ name: "large", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: process.argv[2] === "one" ? [editFile] : tools,
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: "text", text: JSON.stringify(params.arguments) }],
}));
await server.connect(new StdioServerTransport());
