import type { McpImportAnswer, McpImportSurroundings } from "@pergola/sdk/host";

const isHome = (name: string): boolean => /^(userHome|(env:)?(HOME|USERPROFILE))$/.test(name);

const keepsNoSecret = (whole: string): Error =>
  new Error(`${whole} stands where Pergola keeps no secret: only in env and headers it does`);

function inputValue(whole: string, answer: McpImportAnswer | undefined, kept: "plain" | "secret"): string {
  if (answer === undefined)
    throw new Error(`it asks for ${whole}: import it at a terminal, or put the value in the file`);
  if (kept === "plain" && answer.isSecret) throw keepsNoSecret(whole);
  return answer.value;
}

/** Throws Error for a variable that has its value in the other program alone. */
function checkPlace(whole: string, inside: string): void {
  if (/^(command|config):/.test(inside))
    throw new Error(`it asks for ${whole} when it is started; put the value in the file to import it`);
  if (/^(workspaceFolder|file|relativeFile)/.test(inside))
    throw new Error(`${whole} is the folder of one project`);
}

/**
 * A text with its variables: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:ID}` and `${userHome}`.
 * What is kept in clear (`plain`) takes none but the home folder and inputs that are no secrets, for a
 * variable may hold one. Throws Error where it cannot be done.
 */
export function expand(
  text: string,
  { environment, home, inputs }: McpImportSurroundings,
  kept: "plain" | "secret",
): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    if (isHome(inside)) return home;
    const [, input] = /^input:(.*)$/.exec(inside) ?? [];
    if (input !== undefined) return inputValue(whole, inputs?.get(input), kept);
    checkPlace(whole, inside);
    const [, name = "", fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/.exec(inside) ?? [];
    if (name === "") throw new Error(`${whole} means nothing here`);
    if (kept === "plain") throw keepsNoSecret(whole);
    const value = environment[name] || fallback;
    if (value === undefined) throw new Error(`the variable ${name} is not set here`);
    return value;
  });
}
