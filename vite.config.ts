import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, minifySync } from "vite";
import type { Plugin } from "vite";

import { bundledText } from "./scripts/bundled-text.ts";

/** React and the router in one file: it changes only when they are updated, so browsers keep it cached across our releases. */
const framework = { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler|cookie)\// };

/** What pages without an editor use too, so that they need not load the editors. */
const controls = {
  name: "controls",
  test: /app\/(ui\/(components\/(button|characters|hydration|icon|loading|notice|panel|toast)|forms\/(checkbox-field|field|choice-field|submit-in-place))|features\/live\/deferred-view)\.tsx?$/,
};

/** What the document of every hydrated page loads: as six small files it would be larger. */
const shell = {
  name: "shell",
  test: /app\/(ui\/components\/page-width|features\/shell\/(brand|seal-drawing|document-links|message-view|site-facts|theme\/theme(-script)?))\.tsx?$/,
};

/** What all editors share, and what that uses, in one file: as a dozen small files it would be 2 kB larger. */
const editors = {
  name: "editors",
  test: /app\/ui\/(forms\/(editor-tabs|versioned-form|leave-guard|settled-value|action-menu)|components\/(row-handle|page|portrait|inline-style|back-link))\.tsx?$/,
};

/** The owner's list of cards, which home, the editor of the profile and the owner's view of it show. */
const cardList = { name: "card-list", test: /app\/features\/cards\/list\/(list-actions|card-list|card-image)\.tsx?$/ };

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), bundledText(), shortInlineScripts()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: [framework, controls, shell, editors, cardList] } },
        },
      },
    },
    // The server is built as one graph with the app, so that no module exists twice in the process.
    // worker.js is what worker threads run, the others what `npm run account`, `backup`, `billing`, `doctor`, `vacuum` and `wallet` run.
    ssr: {
      build: {
        rollupOptions: {
          input: {
            main: "./server/main.ts",
            worker: "./app/worker.ts",
            account: "./server/commands/account-command.ts",
            billing: "./server/commands/billing-command.ts",
            wallet: "./server/commands/wallet-command.ts",
            backup: "./server/commands/backup-command.ts",
            doctor: "./server/commands/doctor-command.ts",
            vacuum: "./server/commands/vacuum-command.ts",
          },
        },
      },
    },
  },
  build: { assetsInlineLimit: 0, sourcemap: false },
});

/** Shortens `…-script.ts`: pages contain the source text of their functions. The rest of the server's code stays readable. */
function shortInlineScripts(): Plugin {
  return {
    name: "short-inline-scripts",
    enforce: "post",
    apply: "build",
    transform: {
      filter: { id: /-script\.ts$/ },
      handler: (code, id) => minifySync(id.replace(/ts$/, "js"), code, { module: true }).code,
    },
  };
}
