// Lets the protocol's conformance suite start under Node 20: it imports what `fs` has from Node 22 on, and uses
// it in commands that are not run here.
import { register } from "node:module";

const files = 'export * from "node:fs"; export const globSync = undefined;';
const hooks = `
  export const resolve = (specifier, context, next) =>
    specifier === "fs" && context.parentURL?.includes("/conformance/dist/")
      ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(files)}`)}, shortCircuit: true }
      : next(specifier, context);
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
