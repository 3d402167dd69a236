// `node server.js`: runs the built program, as `npm start` does, but installs and builds nothing.
import { runProgram } from "./scripts/setup.mjs";

runProgram();
