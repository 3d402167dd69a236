// Loaded into the program under measurement (`node --import`): reports its longest block between "begin" and "end".

/** CPU time in milliseconds: the longest block of the main thread, all of the main thread, and all of the process. */
export type ProbeReport = { longestCpu: number; mainCpu: number; allCpu: number };

const mainThreadMs = () => inMs(process.threadCpuUsage());
const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

let longest = 0;
let began = { main: 0, all: 0 };
let last = mainThreadMs();

/** A timer of a millisecond: between two calls the main thread did one thing, or things of a millisecond together. */
function tick() {
  const now = mainThreadMs();
  longest = Math.max(longest, now - last);
  last = now;
}

process.on("message", (message) => {
  tick();
  if (message === "begin") {
    longest = 0;
    began = { main: last, all: inMs(process.cpuUsage()) };
    return;
  }
  const report: ProbeReport = {
    longestCpu: longest,
    mainCpu: last - began.main,
    allCpu: inMs(process.cpuUsage()) - began.all,
  };
  process.send?.(report);
});
process.channel?.unref();
setInterval(tick, 1).unref();
