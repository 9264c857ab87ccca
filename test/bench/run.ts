import { growth } from "./growth.ts";
import { toolLoop } from "./loop.ts";
import { searchMillion } from "./memory/million.ts";
import { retrievalQuality } from "./memory/quality.ts";
import { chatTurn, clientGone, firstToken, relayedChunk } from "./relay.ts";
import { print, type Figure } from "./report.ts";
import { openSetting, type Setting } from "./setting.ts";
import { startUp } from "./start-up.ts";

const benches: Readonly<Record<string, (setting: Setting) => Promise<Figure | readonly Figure[]>>> = {
  P1: chatTurn,
  P2: firstToken,
  P3: relayedChunk,
  P5: clientGone,
  P6: toolLoop,
  P8: startUp,
  P12: growth,
  P15: searchMillion,
  P16: retrievalQuality,
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const figures: Figure[] = [];
const setting = await openSetting();
try {
  for (const [id, bench] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const found = [await bench(setting)].flat();
    print(found);
    figures.push(...found);
  }
} finally {
  await setting.end();
}
if (process.argv.includes("--json"))
  process.stdout.write(`${JSON.stringify({ node: process.version, figures })}\n`);
