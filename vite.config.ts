import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** React and the router in one file: it changes only when they are updated, so browsers keep it cached across our releases. */
const framework = { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler|cookie)\// };

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [framework] } } } } },
    // The server is built as one graph with the app, so that no module exists twice in the process.
    // worker.js is what worker threads run.
    ssr: { build: { rollupOptions: { input: { main: "./server/main.ts", worker: "./app/worker.ts" } } } },
  },
  build: { assetsInlineLimit: 0, sourcemap: false },
});
