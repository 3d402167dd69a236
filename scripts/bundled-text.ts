import { build } from "vite";
import type { Plugin, Rolldown } from "vite";

/**
 * A plugin for `import text from "./client.ts?bundled"`: the file with all that it imports, as the minified text of one script. For pages
 * that contain their whole script.
 */
export function bundledText(): Plugin {
  return {
    name: "bundled-text",
    enforce: "pre",
    load: {
      filter: { id: /\.ts\?bundled$/ },
      async handler(id) {
        const { code, moduleIds } = await bundle(id.replace(/\?bundled$/, ""));
        for (const file of moduleIds) this.addWatchFile(file);
        // Inside a <script> element.
        const text = code.trim().replaceAll("</script", String.raw`<\/script`);
        return { code: `export default ${JSON.stringify(text)};`, moduleType: "js" };
      },
    },
  };
}

async function bundle(entry: string): Promise<Rolldown.OutputChunk> {
  const result = await build({
    configFile: false,
    envFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      minify: true,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: entry, output: { format: "iife", codeSplitting: false } },
    },
  });
  const [output] = [result].flat();
  if (!output || !("output" in output)) throw new Error(`${entry} could not be bundled.`);
  return output.output[0];
}
