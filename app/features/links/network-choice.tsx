import { Button } from "#app/ui/components/button.tsx";

import { messages } from "./messages.ts";
import { networks } from "./site-data.ts";

/** Asks for the network of a user name that was typed in place of a URL, and calls `onChoose` with the URL there. */
export function NetworkChoice({ userName, onChoose, className = "" }: NetworkChoiceProps) {
  return (
    <div role="group" aria-label={messages.networkOf(userName)} className={`flex flex-wrap gap-2 ${className}`}>
      {networks.map(({ name, base }) => (
        <Button key={name} size="s" className="px-3! font-medium" onClick={() => onChoose(`${base}${userName}`)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

type NetworkChoiceProps = { userName: string; onChoose: (url: string) => void; className?: string };
