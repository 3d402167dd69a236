/**
 * The first of our scripts that runs, and the only one until then: everything is loaded, the browser says that it painted, and it has
 * nothing else to do. Browsers that say nothing of painting are given a frame instead.
 */
const starter = [
  "(()=>{",
  'const run=()=>{for(const o of document.querySelectorAll("script[data-later]")){const s=document.createElement("script");s.type=o.dataset.later;s.text=o.text;document.head.append(s);s.remove()}},',
  "idle=()=>(window.requestIdleCallback||setTimeout)(run),",
  'P=window.PerformanceObserver;addEventListener("load",()=>P&&(P.supportedEntryTypes||[]).includes("paint")',
  '?new P((l,o)=>{if(l.getEntriesByName("first-contentful-paint")[0]){o.disconnect();idle()}}).observe({type:"paint",buffered:true})',
  ":requestAnimationFrame(()=>setTimeout(idle)))",
  "})()",
].join("");

/**
 * Takes a rendered document in which every script of ours bears `nonce`, and makes them wait: they become plain text that the starter
 * runs later, in their order. What is left is free of nonces, so the same bytes can go to everybody; `scripts` are the texts
 * that its Content-Security-Policy has to name by their hashes. What does not bear the nonce is none of ours and stays as it is.
 */
export function whenIdle(html: string, nonce: string): { html: string; scripts: string[] } {
  const scripts = [starter];
  const mark = `nonce="${nonce}"`;
  const later = html
    .replace(/<link rel="modulepreload"[^>]*>/g, "")
    .replace(/<script ([^>]*)>([^]*?)<\/script>/g, (script: string, attributes: string, text: string) => {
      if (!attributes.includes(mark)) return script;
      scripts.push(text);
      return `<script type="text/plain" data-later="${attributes.includes('type="module"') ? "module" : ""}">${text}</script>`;
    });
  return { html: later.replace("</body>", () => `<script>${starter}</script></body>`), scripts };
}
