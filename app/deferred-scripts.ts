/**
 * The only script that runs at first. It starts the others once everything is loaded, the page is painted and the browser is idle. Browsers
 * that don't report paints get an animation frame instead.
 */
const starterScript = [
  "(()=>{",
  'const run=()=>{for(const o of document.querySelectorAll("script[data-later]")){const s=document.createElement("script");s.type=o.dataset.later;s.text=o.text;document.head.append(s);s.remove()}},',
  "idle=()=>(window.requestIdleCallback||setTimeout)(run),",
  'P=window.PerformanceObserver;addEventListener("load",()=>P&&(P.supportedEntryTypes||[]).includes("paint")',
  '?new P((l,o)=>{if(l.getEntriesByName("first-contentful-paint")[0]){o.disconnect();idle()}}).observe({type:"paint",buffered:true})',
  ":requestAnimationFrame(()=>setTimeout(idle)))",
  "})()",
].join("");

/**
 * Defers the scripts with our `nonce` in a rendered document: they become inert text, which the starter script runs later in the same order.
 * The result has no nonces, so every visitor can get the same bytes; its Content-Security-Policy must contain the hashes of `scripts`.
 * A script without the nonce isn't ours and stays as it is.
 */
export function deferScripts(html: string, nonce: string): { html: string; scripts: string[] } {
  const scripts = [starterScript];
  const nonceAttribute = `nonce="${nonce}"`;
  const later = html
    .replace(/<link rel="modulepreload"[^>]*>/g, "")
    .replace(/<script ([^>]*)>([^]*?)<\/script>/g, (script: string, attributes: string, text: string) => {
      if (!attributes.includes(nonceAttribute)) return script;
      scripts.push(text);
      return `<script type="text/plain" data-later="${attributes.includes('type="module"') ? "module" : ""}">${text}</script>`;
    });
  return { html: later.replace("</body>", () => `<script>${starterScript}</script></body>`), scripts };
}
