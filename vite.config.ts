import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

const shared = { name: "ui", test: /\/app\/ui\/.*\.tsx?$/, minShareCount: 3 };

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    // Dozens of small scripts weigh more than one: each brings its imports along, and is compressed by itself.
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [shared] } } } } },
    // The whole process is built as one graph, so that no module exists twice.
    ssr: { build: { rollupOptions: { input: "./server/main.ts" } } },
  },
  build: { assetsInlineLimit: 0, sourcemap: false },
});
