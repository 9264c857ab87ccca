import { isObject, stringOf, type Json, type JsonObject } from "@pergola/sdk";
import type { McpImportInput } from "@pergola/sdk/host";

const longest = 200;

/** The signs of a name or a sentence that is shown on a terminal. */
const shown = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, longest);

function declared(id: string, field: JsonObject | undefined): McpImportInput {
  const options = Array.isArray(field?.["options"]) ? (field["options"] as readonly Json[]) : [];
  return {
    id,
    description: shown(stringOf(field?.["description"])) || id,
    // Of one that the file does not describe nothing is known.
    isSecret: field === undefined || field["password"] === true,
    options: options.filter((one) => typeof one === "string"),
    default: stringOf(field?.["default"]),
  };
}

/** What a server of a file leaves to the person; `declarations`: the field `inputs` of the file. */
export function inputsOf(server: Json, declarations: Json | undefined): readonly McpImportInput[] {
  const fields = (Array.isArray(declarations) ? (declarations as readonly JsonObject[]) : []).filter(
    isObject,
  );
  const used = [...JSON.stringify(server).matchAll(/\$\{input:([\w.-]{1,100})\}/g)];
  const ids = new Set(used.map(([, id = ""]) => id));
  return [...ids].map((id) =>
    declared(
      id,
      fields.find((field) => field["id"] === id),
    ),
  );
}
