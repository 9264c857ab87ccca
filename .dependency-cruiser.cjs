/** Who may import whom. Run by test/architecture/imports.test.ts; a broken rule is a failing test that names both files. */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } } },
    {
      name: "sdk-imports-node-only",
      severity: "error",
      from: { path: "^sdk/", pathNot: "^sdk/testing/" },
      to: { pathNot: "^sdk/", dependencyTypesNot: ["core", "type-only"] },
    },
    { name: "sdk-test-kit-imports-no-host", severity: "error", from: { path: "^sdk/testing/" }, to: { path: "^(core|plugins)/" } },
    { name: "core-imports-no-plugin", severity: "error", from: { path: "^core/" }, to: { path: "^(plugins|examples|test)/" } },
    {
      name: "core-imports-named-packages",
      severity: "error",
      from: { path: "^core/" },
      to: {
        path: "node_modules/",
        pathNot: "node_modules/(express|tapable|ajv|ajv-formats|cosmiconfig|commander|@clack/prompts|pino|@types)/",
      },
    },
    { name: "plugins-import-no-core", severity: "error", from: { path: "^(plugins|examples)/" }, to: { path: "^(core|test)/" } },
    {
      name: "plugins-import-no-other-plugin",
      severity: "error",
      from: { path: "^(plugins|examples)/([^/]+)/" },
      to: { path: "^(plugins|examples)/([^/]+)/", pathNot: "^$1/$2/" },
    },
    {
      name: "packages-are-declared",
      severity: "error",
      from: { path: "^(core|sdk|plugins|examples)/", pathNot: "/test/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "everything-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|node_modules)/.*", dynamic: false },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["source", "import", "node", "default"] },
    combinedDependencies: false,
  },
};
