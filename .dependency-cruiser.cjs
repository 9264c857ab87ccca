const { readdirSync } = require("node:fs");

/** The files that the packages of the kits export. */
const kitEntries = readdirSync(`${__dirname}/sdk/kits`).flatMap((kit) => {
  const { exports } = require(`./sdk/kits/${kit}/package.json`);
  return Object.values(exports).map(
    ({ source }) => `^sdk/kits/${kit}/${source.slice(2).replace(".", "[.]")}$`,
  );
});

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
      name: "sdk-util-imports-no-other-room",
      severity: "error",
      from: { path: "^sdk/util/" },
      to: { path: "^sdk/", pathNot: "^sdk/util/" },
    },
    {
      name: "sdk-contract-imports-util-only",
      severity: "error",
      from: { path: "^sdk/contract/" },
      to: { path: "^sdk/", pathNot: "^sdk/(contract|util)/" },
    },
    {
      name: "sdk-provider-storage-and-wire-import-contract-and-util-only",
      severity: "error",
      from: { path: "^sdk/(provider|storage|wire)/" },
      to: { path: "^sdk/", pathNot: "^sdk/($1|contract|util)/" },
    },
    {
      name: "sdk-host-imports-rooms-only",
      severity: "error",
      from: { path: "^sdk/host/" },
      to: { path: "^sdk/", pathNot: "^sdk/(host|provider|storage|wire|contract|util)/" },
    },
    {
      name: "sdk-imports-no-kit",
      severity: "error",
      from: { path: "^sdk/", pathNot: "^sdk/kits/" },
      to: { path: "^sdk/kits/" },
    },
    {
      name: "kits-import-the-public-sdk-only",
      severity: "error",
      from: { path: "^sdk/kits/", pathNot: "^sdk/kits/[^/]+/test(ing)?/" },
      to: { path: "^(core|plugins|examples|test|sdk)/", pathNot: "^sdk/(kits/|index[.]ts$)" },
    },
    {
      name: "kits-enter-each-other-by-the-entry",
      severity: "error",
      from: { path: "^sdk/kits/([^/]+)/" },
      to: { path: "^sdk/kits/", pathNot: ["^sdk/kits/$1/", ...kitEntries] },
    },
    {
      name: "no-cycles-between-kits",
      severity: "error",
      scope: "folder",
      from: { path: "^sdk/kits/[^/]+$" },
      to: { path: "^sdk/kits/[^/]+$", circular: true },
    },
    {
      name: "sdk-is-imported-by-its-entries",
      severity: "error",
      from: { path: "^(core|plugins|examples)/" },
      to: {
        path: "^sdk/",
        pathNot: ["^sdk/index[.]ts$", "^sdk/(host|testing)/index[.]ts$", ...kitEntries, "[.]json$"],
      },
    },
    {
      name: "only-tests-import-the-test-kit",
      severity: "error",
      from: {
        path: "^(core|plugins|examples|sdk)/",
        pathNot: "^sdk/testing/|/test/|^sdk/kits/[^/]+/testing/|^plugins/provider-scripted/",
      },
      to: { path: ["^sdk/testing/", "^sdk/kits/[^/]+/testing/"] },
    },
    {
      name: "only-the-host-imports-the-host-entry",
      severity: "error",
      from: {
        path: "^(plugins/(tool|provider|storage|endpoint)-|examples/)",
      },
      to: { path: "^sdk/host/" },
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
    exclude: { path: "(^|/)(dist|\\.dist-[^/]+|node_modules)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "node", "default"],
    },
    combinedDependencies: false,
  },
};
