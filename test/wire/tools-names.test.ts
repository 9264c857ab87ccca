import { expect } from "chai";
import { mirrorPolicy, readMirror } from "../support/mirror-policy.ts";
import {
  eachOf,
  execute,
  openTools,
  sampleOf,
  type OperationCase,
  type ToolStage,
} from "../support/tool-scene.ts";
import { promisedAliases, promisedSpellings } from "../support/tool-table.ts";
import { verifies } from "../support/verifies.ts";

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe("names of tools", () => {
  let stage: ToolStage;
  before(async () => {
    stage = await openTools({ plugins: [mirrorPolicy] });
  });
  after(() => stage.end());

  const isThere = (name: string): boolean =>
    stage.families.some((family) => family.name === name.split(".")[0]);
  const caseOf = (name: string): OperationCase | undefined =>
    stage.operations.find((one) => one.name === name);
  /** What a call would have done; or its failure. */
  const meaning = async (tool: string, args: unknown) =>
    readMirror((await execute(stage, tool, args)).error ?? "");
  /** A line for each name that does not lead where it should. */
  const wrong = (all: readonly (readonly [string, unknown, string])[]) =>
    eachOf(all, async ([tool, args, expected]) => {
      const { name } = await meaning(tool, args);
      return name === expected ? undefined : `${tool} leads to ${name}, not ${expected}`;
    });

  verifies(
    ["debug:execute", "T01", "T11"],
    "every operation is reached by its family's name and by its own, in any case",
    async () => {
      const ways = stage.operations.flatMap(({ tool, operation, name, args }) => {
        const named = { ...args, operation: operation.name };
        const whole = [
          tool.name,
          ...(tool.names ?? []),
          tool.name.toUpperCase(),
          tool.name.replaceAll("_", "-"),
          ` ${tool.name} `,
        ];
        const dotted = [
          name,
          name.toUpperCase(),
          name.replaceAll("_", "-"),
          ...(tool.names ?? []).map((one) => `${one}.${operation.name}`),
        ];
        const others = (operation.aliases ?? []).map((alias) => `${tool.name}.${alias}`);
        return [
          ...whole.map((way) => [way, named, name] as const),
          [tool.name, JSON.stringify(named), name] as const,
          [tool.name, { ...args, operation: operation.name.toUpperCase() }, name] as const,
          ...[...dotted, ...others].map((way) => [way, args, name] as const),
          ...others.map((way) => [way.toUpperCase(), args, name] as const),
        ];
      });
      expect(ways.length).to.be.above(500);
      expect(await wrong(ways)).to.deep.equal([]);
    },
  );

  verifies(
    ["debug:execute", "T11"],
    "every other name of a tool leads to its operation, in any case",
    async () => {
      const declared = stage.families.flatMap(({ name, aliases = {} }) =>
        Object.entries(aliases).map(([alias, operation]) => [alias, `${name}.${operation}`] as const),
      );
      const promised = Object.entries(promisedAliases).filter(([, target]) => isThere(target));
      const ways = [...declared, ...promised].flatMap(([alias, target]) =>
        [alias, alias.toUpperCase(), alias.replaceAll("_", "-")].map(
          (way) => [way, caseOf(target)?.args ?? {}, target] as const,
        ),
      );
      expect(await wrong(ways)).to.deep.equal([]);
    },
  );

  verifies("T11", "to-dos are reached by way of memory, too", async () => {
    const args = { todoOperation: "read" };
    const ways = [
      ["memory_operations.manage_todos", args],
      ["memory_operations", { operation: "manage_todos", ...args }],
    ] as const;
    expect(
      await wrong(ways.map(([tool, given]) => [tool, given, "todo_operations.manage_todos"])),
    ).to.deep.equal([]);
  });

  verifies("T11", "a name that is a family's is never another's alias", async () => {
    const names = stage.families.flatMap(({ name, names: others = [] }) => [name, ...others]);
    expect(new Set(names).size).to.equal(names.length);
    const aliases = stage.families.flatMap(({ name, aliases: own = {} }) =>
      Object.keys(own).map((alias) => ({ name, alias })),
    );
    expect(
      aliases.filter(({ alias }) => aliases.filter((other) => other.alias === alias).length > 1),
    ).to.deep.equal([]);
  });

  verifies(
    ["debug:execute", "T12"],
    "every parameter is taken in its other case form and its other spellings",
    async () => {
      const ways = stage.operations.flatMap(({ operation: { parameters }, name, args }) =>
        Object.entries(parameters).flatMap(([key, schema]) => {
          const promised = (promisedSpellings[name] ?? [])
            .filter(([, canonical]) => canonical === key)
            .map(([other]) => other);
          const others = new Set([camel(key), snake(key), ...(schema.aliases ?? []), ...promised]);
          return [...others]
            .filter((other) => other !== key)
            .map((other) => ({ name, key, other, args, value: args[key] ?? sampleOf(schema) }));
        }),
      );
      expect(ways.length).to.be.above(150);
      const refused = await eachOf(ways, async ({ name, key, other, args, value }) => {
        const { [key]: _, ...rest } = args;
        const told = await meaning(name, { ...rest, [other]: value });
        return JSON.stringify(told.args[key]) === JSON.stringify(value)
          ? undefined
          : `${name}: ${other} is not ${key}: ${told.name}`;
      });
      expect(refused).to.deep.equal([]);
    },
  );

  verifies(
    ["debug:execute", "T12"],
    "every spelling that is promised belongs to a parameter that is there",
    () => {
      const missing = Object.entries(promisedSpellings)
        .filter(([name]) => isThere(name))
        .flatMap(([name, pairs]) => pairs.map(([, key]) => ({ name, key })))
        .filter(({ name, key }) => caseOf(name)?.operation.parameters[key] === undefined);
      expect(missing).to.deep.equal([]);
    },
  );

  verifies(
    "T01",
    "every example of every operation is a right call, with an effect that it declares",
    async () => {
      const all = stage.operations.flatMap((one) =>
        [one.args, ...(one.operation.examples ?? []).map((example) => example.arguments)].map((args) => ({
          ...one,
          args,
        })),
      );
      const wrongOnes = await eachOf(all, async ({ name, args, effects }) => {
        const told = await meaning(name, args);
        return told.name === name && effects.includes(told.effect as never)
          ? undefined
          : `${name} ${JSON.stringify(args)}: ${told.name} ${told.effect}`;
      });
      expect(wrongOnes).to.deep.equal([]);
    },
  );
});
