const form = /^([a-z][a-z0-9+.-]*):\/\/[^\s/?#@*\\]+\/?$/i;

/**
 * An origin as browsers send it: scheme, host and port in lower case, without the usual port of the scheme.
 * Undefined for what is no origin.
 */
export function canonicalOrigin(text: string): string | undefined {
  const [, scheme] = form.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(text)) return undefined;
  if (/^https?$/i.test(scheme)) return new URL(text).origin;
  return text.toLowerCase().replace(/\/$/, "");
}
