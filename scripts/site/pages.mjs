// Which Markdown files are pages of the documentation, in which group and order.

/** Groups in the order of the navigation; the first page is the site's own. */
const groups = {
  Start: ["README.md", "docs/getting-started.md", "docs/troubleshooting.md"],
  Tutorials: [
    "docs/single-file-tools.md",
    "docs/add-a-tool.md",
    "docs/add-a-provider.md",
    "docs/add-a-route.md",
    "docs/add-a-policy.md",
    "docs/add-a-bridge.md",
    "docs/add-a-storage.md",
  ],
  Guides: [
    "docs/examples.md",
    "docs/editors.md",
    "docs/clients.md",
    "docs/local-models.md",
    "docs/conversations.md",
    "docs/import.md",
    "docs/undo.md",
    "docs/structured-output.md",
    "docs/schedules.md",
    "docs/instructions.md",
    "docs/explain-a-run.md",
    "docs/runs-as-tests.md",
    "docs/conformance-kits.md",
    "docs/remote-access.md",
    "docs/secrets.md",
    "docs/sandbox.md",
    "docs/plugins.md",
    "docs/operations.md",
    "docs/telemetry.md",
    "docs/postgresql.md",
    "docs/several-hosts.md",
    "docs/scale.md",
  ],
  Reference: [
    "docs/settings.md",
    "docs/api.md",
    "docs/streams.md",
    "docs/errors.md",
    "docs/hooks.md",
    "docs/glossary.md",
    "CHANGELOG.md",
  ],
  Explanation: [
    "docs/architecture.md",
    "docs/walk-of-a-chat-request.md",
    "docs/memory.md",
    "docs/long-conversations.md",
    "docs/performance.md",
    "docs/reliability.md",
    "SECURITY.md",
  ],
};

/** What the navigation calls a page whose heading says too little there. */
const titles = { "README.md": "Overview" };

/** The group of the decisions, which are found in their folder. */
const decisions = "docs/decisions/";

/** `docs/decisions/README.md` → `decisions`; `SECURITY.md` → `security`; the first page → ``. */
function nameOf(file) {
  if (file === "README.md") return "";
  const name = file.replace(/^docs\//, "").replace(/\.md$/, "");
  return name.replace(/\/README$/, "").toLowerCase();
}

/**
 * The pages `{file, name, path, group, title}` in reading order, of the Markdown files below `docs/`;
 * `title` only where it is not the heading. Throws if a file is in no group.
 */
export function pagesOf(files) {
  const own = files.filter((file) => file.startsWith(decisions)).sort();
  const all = { ...groups, Decisions: [...new Set([`${decisions}README.md`, ...own])] };
  const listed = Object.values(all).flat();
  const left = files.filter((file) => !listed.includes(file));
  if (left.length > 0)
    throw new Error(
      `Put into a group of scripts/site/pages.mjs, so that readers find it: ${left.join(", ")}`,
    );
  return Object.entries(all).flatMap(([group, members]) =>
    members.map((file) => {
      const name = nameOf(file);
      return { file, name, path: name === "" ? "/docs" : `/docs/${name}`, group, title: titles[file] };
    }),
  );
}
