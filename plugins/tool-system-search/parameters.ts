import { fileTypes, type FileType } from "./file-types.ts";

export const query = {
  type: "string",
  minLength: 1,
  maxLength: 1000,
  description: "Words; * and ? stand for any characters of a name",
} as const;
export const directory = { type: "string", format: "path", description: "Search only here" } as const;
export const maxResults = {
  type: "integer",
  minimum: 1,
  maximum: 1000,
  default: 25,
} as const;
export const fileType = { type: "string", enum: Object.keys(fileTypes) as FileType[] } as const;
