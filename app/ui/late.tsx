import { useEffect, useState } from "react";
import type { ReactNode } from "react";

import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/**
 * Shows what most people never open, and loads its script only then. Where that fails (no connection, a newer version of the site)
 * it says so in its place, and what is typed on the page stays; React's own `lazy` would take the page away.
 */
export function Late<Part>({ load, waiting, children }: LateProps<Part>) {
  const [state, setState] = useState<{ part?: Part; isLost?: boolean }>({});
  useEffect(() => {
    if (state.part || state.isLost) return;
    let isGone = false;
    load().then(
      (part) => isGone || setState({ part }),
      () => isGone || setState({ isLost: true }),
    );
    return () => {
      isGone = true;
    };
  }, [load, state]);
  if (state.part) return children(state.part);
  if (!state.isLost) return waiting;
  const button = (
    <Button size="s" onClick={() => setState({})}>
      Try again
    </Button>
  );
  return (
    <Notice tone="error" title="This part could not be loaded" action={button}>
      Check your connection. What you typed is still here.
    </Notice>
  );
}

type LateProps<Part> = {
  /** The same function each time: `() => import("./part.tsx")`, made outside the component. */
  load: () => Promise<Part>;
  /** In its place until it is there. */
  waiting: ReactNode;
  children: (part: Part) => ReactNode;
};
