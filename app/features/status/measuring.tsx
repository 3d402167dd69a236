/** What the figures mean, for whoever wants to rely on them. */
export function Measuring() {
  return (
    <div className="grid max-w-[44rem] gap-3 text-muted">
      <p>
        Every minute, each process of this installation tries out its database, its files, its mail and its background
        work, and writes down what it found. A check that takes longer than ten seconds is failing.
      </p>
      <p>
        A minute is well when at least one process found everything well in it. A minute that nobody wrote down, because
        the process or its machine was off, is a gap, and counts like one that failed. What is over within a minute can
        go unseen, and so can what lies between this server and you.
      </p>
      <p>
        All times are UTC. The same as data:{" "}
        <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/status.json">
          /status.json
        </a>
      </p>
    </div>
  );
}
