import { loadCatalogue } from "./test/bench/guide/catalogue.ts";
import { routeRequest } from "./plugins/provider-embedded/router/route-request.ts";
import { VectorCache } from "./plugins/provider-embedded/embedder/vector-cache.ts";
import { officialVectors } from "./plugins/provider-embedded/embedder/known-vectors.ts";
import { MiniLm } from "./plugins/provider-embedded/embedder/minilm.ts";
const m = new MiniLm({log: console as any}); const vectors = new VectorCache(m, 4096, officialVectors);
const tools = await loadCatalogue();
for (const t of process.argv.slice(2)) { const r = await routeRequest(t, {tools, vectors, signal: AbortSignal.timeout(60000), now: Date.UTC(2026,10,20,10)});
 console.log(t, r.decision.kind, (r.decision as any).objection ?? "");
 for (const c of r.ranked.slice(0,4)) console.log("   ", c.route.tool, c.route.name, c.score.toFixed(2), "mean", c.meaning?.toFixed(2), JSON.stringify(c.words, (k,v)=>k==="nearest"?v?.say:typeof v==="number"?+v.toFixed(2):v), JSON.stringify(c.filling.arguments), "miss", c.filling.missing.map(s=>s.name).join(), "left", c.filling.leftover.map(m=>m.kind+":"+m.value).join(), "loose", c.filling.loose.join(), c.filling.frame?JSON.stringify({l:c.filling.frame.likeness,s:c.filling.frame.strange,t:c.filling.frame.typed}):"-");}
await m.close();
