/**
 * Which of our files may import which. Run by test/architecture/imports.test.ts; a broken rule is a failing
 * test that names both files. What packages each folder may take is in
 * test/architecture/declared-packages.test.ts.
 */
module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "sdk-imports-node-only",
      severity: "error",
      from: { path: "^sdk/", pathNot: "^sdk/(testing|kits)/" },
      to: { pathNot: "^sdk/", dependencyTypesNot: ["core", "type-only"] },
    },
    {
      name: "sdk-test-kit-imports-no-host",
      severity: "error",
      from: { path: "^sdk/testing/" },
      to: { path: "^(core|plugins)/" },
    },
    {
      name: "core-imports-no-plugin",
      severity: "error",
      from: { path: "^core/" },
      to: { path: "^(plugins|examples|test)/" },
    },
    {
      name: "plugins-import-no-core",
      severity: "error",
      from: { path: "^(plugins|examples)/" },
      to: { path: "^(core|test)/" },
    },
    {
      name: "plugins-import-no-other-plugin",
      severity: "error",
      from: { path: "^(plugins|examples)/([^/]+)/" },
      to: { path: "^(plugins|examples)/([^/]+)/", pathNot: "^$1/$2/" },
    },
    { name: "everything-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|node_modules)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default"],
    },
    combinedDependencies: false,
  },
};
