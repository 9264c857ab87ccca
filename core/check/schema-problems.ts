import { messageOf, type Json, type JsonSchema, type Properties } from "@pergola/sdk";
import type { Host } from "../host.ts";
import { compile } from "../schema/validate.ts";
import { faultsOf } from "../settings/value-faults.ts";
import type { Problem } from "./problem.ts";

/** Whose schemas are tried. */
interface Owner {
  readonly id: string;
  readonly settings: Properties;
  readonly provides: Readonly<Record<string, unknown>>;
}

type Place = readonly [place: string, schema: JsonSchema];

const remedy = "Correct the schema; JSON Schema (2020-12) says what each word takes.";

function toolSchemas({ tools }: Host["brought"], { id }: Owner): readonly Place[] {
  const own = tools.filter(({ plugin }) => plugin.id === id);
  return own.flatMap(({ tool }) =>
    tool.operations.map(({ name, parameters, required }): Place => {
      const schema = { type: "object", properties: parameters, required } as const;
      return [`${tool.name}.${name}.parameters`, schema];
    }),
  );
}

function routeSchemas({ routes }: Host["brought"], { provides }: Owner): readonly Place[] {
  const names = (provides["endpoints"] ?? []) as readonly string[];
  const own = routes.filter(({ method, path }) => names.includes(`${method} ${path}`));
  return own.flatMap(({ method, path, params, query, body }) => {
    const place = `${method} ${path}`;
    return [
      [`${place}: params`, { type: "object", properties: params ?? {} }],
      [`${place}: query`, { type: "object", properties: query ?? {} }],
      [`${place}: body`, body ?? {}],
    ] satisfies readonly Place[];
  });
}

function compileProblem([place, schema]: Place): readonly Problem[] {
  try {
    compile(schema)({});
    return [];
  } catch (error) {
    return [{ message: `${place} cannot be compiled: ${messageOf(error)}`, remedy }];
  }
}

function settingProblems({ settings }: Owner): readonly Problem[] {
  return Object.entries(settings).flatMap(([key, schema]) => {
    const { default: value } = schema as { readonly default?: Json };
    if (value === undefined) return [];
    return faultsOf(value, schema, `the default of settings.${key}`).map(({ message }) => ({
      message,
      remedy: `Give settings.${key} in plugin.json a default that its own schema allows.`,
    }));
  });
}

/**
 * The schemas of a plugin's operations, routes and settings that its first call or its first value would find
 * faulty.
 */
export const schemaProblems = (brought: Host["brought"], owner: Owner): readonly Problem[] => [
  ...[...toolSchemas(brought, owner), ...routeSchemas(brought, owner)].flatMap(compileProblem),
  ...settingProblems(owner),
];
