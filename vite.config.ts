import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** What three pages or more share, and what all share: dozens of small scripts weigh more than two. The editors have no banner. */
const groups = [
  {
    name: "ui",
    test: /\/app\/(ui|features\/shell)\/(?!call-banner|banner-dismissal|reading-mark)[^/]*\.tsx?$/,
    minShareCount: 3,
  },
  { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler|cookie)\// },
];

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // Dozens of small scripts weigh more than one: each brings its imports along, and is compressed by itself.
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    // The whole process is built as one graph, so that no module exists twice.
    ssr: { build: { rollupOptions: { input: "./server/main.ts" } } },
  },
  build: { assetsInlineLimit: 0, sourcemap: false },
});
