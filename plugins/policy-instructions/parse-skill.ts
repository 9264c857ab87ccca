import { isObject, messageOf } from "@pergola/sdk";

/** A skill as its `SKILL.md` describes it. */
export interface ParsedSkill {
  readonly name: string;
  readonly description: string;
  /** Models are told of it; otherwise only a person calls it. */
  readonly isListed: boolean;
  /** The instructions. */
  readonly body: string;
  /** What its author should correct. */
  readonly complaints: readonly string[];
}

const frontMatter = /^\ufeff?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)([^]*)$/;
const goodName = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const longestName = 64;
const longestDescription = 1024;

/**
 * Reads a `SKILL.md` leniently: what is wrong and does not matter is a complaint. `fault` says why it is no
 * skill: it has no description, or unreadable YAML. `folderName`: that of its folder, to be its name.
 */
export async function parseSkill(
  text: string,
  folderName: string,
): Promise<ParsedSkill | { readonly fault: string }> {
  const [, front, body = ""] = frontMatter.exec(text) ?? [];
  if (front === undefined) return { fault: "it does not begin with YAML between two lines ---" };
  // Most folders have no skills.
  const { parseYaml } = await import("./parse-yaml.ts");
  let fields: unknown;
  try {
    fields = parseYaml(front);
  } catch (error) {
    return { fault: `its YAML cannot be read: ${messageOf(error).split("\n")[0]}` };
  }
  if (!isObject(fields)) return { fault: "its YAML holds no keys" };
  const description = textOf(fields["description"]);
  if (description === "") return { fault: "it has no description" };
  const named = nameOf(textOf(fields["name"]), folderName);
  if (named === undefined) return { fault: "its name has other than small letters, digits and hyphens" };
  const complaints = [...named.complaints];
  if (description.length > longestDescription)
    complaints.push(`its description has more than ${longestDescription} characters`);
  return {
    name: named.name,
    description: description.slice(0, longestDescription),
    isListed: fields["disable-model-invocation"] !== true,
    body: body.trim(),
    complaints,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

/** The name that it gives itself, else that of its folder. */
function nameOf(
  own: string,
  folderName: string,
): { readonly name: string; readonly complaints: readonly string[] } | undefined {
  const name = [own, folderName].find((each) => goodName.test(each));
  if (name === undefined) return undefined;
  const complaints: string[] = [];
  if (name !== own)
    complaints.push("its name is missing, or has other than small letters, digits and hyphens");
  else if (name !== folderName) complaints.push(`its folder is called ${folderName}`);
  if (name.length > longestName) complaints.push(`its name has more than ${longestName} characters`);
  return { name, complaints };
}
