// After a build, before the assets are compressed: shortens the list of routes, which every signed-in page loads. It leaves out the routes of
// files (images, contact files, robots.txt), to which scripts never navigate; the flags that are false; and the modules to preload, which are most of
// the list: a browser finds them in the page's module; and whether a module has a view, which no browser reads. The server has a complete list of
// its own, and preloads those of the first page.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = new URL("../build/client/assets/", import.meta.url);
const prefix = "window.__reactRouterManifest=";
const [name] = readdirSync(folder).filter((file) => /^manifest-[\da-f]{8}\.js$/.test(file));
if (name === undefined) throw new Error("The build has no list of routes.");
const file = new URL(name, folder);
const text = readFileSync(file, "utf8");
if (!text.startsWith(prefix)) throw new Error(`${name} doesn't hold the list of routes.`);
const manifest = JSON.parse(text.slice(prefix.length).replace(/;\s*$/, ""));
for (const [id, route] of Object.entries(manifest.routes)) {
  const isFile = /\.[a-z]+$/.test(route.path ?? "") || route.path === "icons/:name";
  if (isFile && !route.hasDefaultExport) delete manifest.routes[id];
  for (const [key, value] of Object.entries(route)) if (value === false) delete route[key];
  if (id !== "root") route.imports = [];
  for (const list of ["imports", "css"]) if (route[list].length === 0) delete route[list];
  delete route.id;
  delete route.hasDefaultExport;
}
// A route's id is its key, and most routes have no imports and no style sheet of their own: the browser fills them in.
const fill = "for(const[i,r]of Object.entries(__reactRouterManifest.routes))r.id=i,r.imports??=[],r.css??=[]";
writeFileSync(file, `${prefix}${JSON.stringify(manifest)};${fill};`);
