// The phrase bench: `node --conditions=source --import tsx test/bench/guide/run.ts`; `--failures` lists those
// of the tuning half.
import { loadCatalogue } from "./catalogue.ts";
import { openGuide } from "./guide.ts";
import { figuresOf, type Measured, measureAll } from "./measure.ts";
import { groupsOf, type Half } from "./phrases/index.ts";

const share = (part: number, whole: number): string =>
  whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} % (${part}/${whole})`;

const row = (measured: readonly Measured[]) => {
  const figures = figuresOf(measured);
  return {
    reached: share(figures.reached, figures.asked),
    called: share(figures.called, figures.asked),
    "after a yes": figures.confirmed,
    "no call": share(figures.abstained, figures.silent),
    "wrong answers": figures.wrongAnswers,
    "wrong effects": figures.wrongEffects,
  };
};

function describe({ phrase, operation, arguments: args, text }: Measured): string {
  const got = operation === undefined ? text.slice(0, 120) : `${operation} ${JSON.stringify(args)}`;
  return `${JSON.stringify(phrase.say)} wants ${phrase.operations.join(" or ") || "no call"}, got ${got}`;
}

const tools = await loadCatalogue();
const guide = await openGuide();
const signal = AbortSignal.timeout(600_000);
for (const half of ["tuning", "held-out"] satisfies readonly Half[]) {
  const all: Measured[] = [];
  const table: Record<string, ReturnType<typeof row>> = {};
  const started = performance.now();
  for (const [group, phrases] of Object.entries(groupsOf(half))) {
    const measured = await measureAll(guide, tools, phrases, signal);
    table[group] = row(measured);
    all.push(...measured);
  }
  console.log(`\n${half} half: ${all.length} phrases, ${Math.round(performance.now() - started)} ms`);
  console.table({ ...table, all: row(all) });
  if (half !== "tuning" || !process.argv.includes("--failures")) continue;
  const isFailure = ({ phrase, reached, wrongAnswer }: Measured): boolean =>
    wrongAnswer || (phrase.operations.length > 0 && !reached);
  for (const failure of all.filter(isFailure)) console.log(describe(failure));
}
await guide.close?.();
