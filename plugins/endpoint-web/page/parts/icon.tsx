/** Paths of Lucide (ISC license), 24 units wide. */
const paths = {
  alert: "M12 8v5M12 16.500v.01M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18",
  check: "M5 12.500l4.500 4.500L19 7.500",
  tool: "M5 8l4 4-4 4M12 17h7",
  send: "M12 19V5M6 11l6-6 6 6",
  plus: "M12 5v14M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  search: "M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14M20 20l-4-4",
  waiting: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5l3 2",
  runs: "M4 12h4l2.500-6 4 12 2.500-6h3",
  memory: "M6 4h12v16l-6-4-6 4z",
  models: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM12 12l8-4.500M12 12L4 7.500M12 12v9",
  plugins: "M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3",
  mcp: "M4 4h16v6H4zM4 14h16v6H4zM8 7v.01M8 17v.01",
  settings: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
