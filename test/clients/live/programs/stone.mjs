// The tool of these programs, in the words that every library has for it.
export const name = "read_stone";
export const description = "Read what is written on a stone";
export const parameters = {
  type: "object",
  properties: { file: { type: "string", description: "The stone's file" } },
  required: ["file"],
  additionalProperties: false,
};
