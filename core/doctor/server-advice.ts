import { defined } from "@pergola/sdk";

/** What to do so that a server is used: into the settings file where there is one, else for one start. */
export function serverAdvice(
  type: string,
  models: readonly string[],
  settingsFile: string | undefined,
): string {
  const model = models.find((id) => !/embed/i.test(id));
  const defaultModel = model && `${type}/${model}`;
  if (settingsFile !== undefined) {
    const settings = defined({ "providers.list": [{ type }], default_model: defaultModel });
    return `to use it, add to ${settingsFile}: ${JSON.stringify(settings)}`;
  }
  const variables = [`PERGOLA_PROVIDERS_LIST='[{"type":"${type}"}]'`];
  if (defaultModel) variables.push(`PERGOLA_DEFAULT_MODEL='${defaultModel}'`);
  return `to use it: ${variables.join(" ")} pergola start`;
}
