/** Where the variables of a file get their values. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const isHome = (name: string): boolean => /^(userHome|(env:)?(HOME|USERPROFILE))$/.test(name);

/**
 * A text with its variables: `${NAME}`, `${NAME:-default}`, `${env:NAME}` and `${userHome}`. What is kept in
 * clear (`plain`) takes none but the home folder, for a variable may hold a secret. Throws Error where it
 * cannot be done.
 */
export function expand(text: string, { environment, home }: Surroundings, kept: "plain" | "secret"): string {
  return text.replaceAll(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
    if (isHome(inside)) return home;
    if (/^(input|command|config):/.test(inside))
      throw new Error(`it asks for ${whole} when it is started; put the value in the file to import it`);
    if (/^(workspaceFolder|file|relativeFile)/.test(inside))
      throw new Error(`${whole} is the folder of one project`);
    const [, name = "", fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/.exec(inside) ?? [];
    if (name === "") throw new Error(`${whole} means nothing here`);
    if (kept === "plain")
      throw new Error(`${whole} stands where Pergola keeps no secret: only in env and headers it does`);
    const value = environment[name] || fallback;
    if (value === undefined) throw new Error(`the variable ${name} is not set here`);
    return value;
  });
}
