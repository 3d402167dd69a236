import { Fragment, useEffect, useRef } from "react";

import { PersonaPanel } from "./persona-panel.tsx";
import { personas } from "./persona-words.ts";
import { Section } from "./section.tsx";

/** Whom it is for, and what it does for each: radio buttons that need no script. `/#features` and `/#recruiters` lead here too. */
export function Personas() {
  const tabs = useRef<HTMLFieldSetElement>(null);

  // The browser scrolls to the tab that an address names; only a script can choose it.
  useEffect(() => {
    const choose = () => {
      const input = [...(tabs.current?.elements ?? [])].find((element) => `#${element.id}` === location.hash);
      if (input instanceof HTMLInputElement) input.checked = true;
    };
    choose();
    addEventListener("hashchange", choose);
    return () => removeEventListener("hashchange", choose);
  }, []);

  return (
    <div id="features" className="scroll-mt-6">
      <Section
        id="personas"
        eyebrow="Features"
        title="For whoever is asked for a card"
        intro="It opens in any browser. They install nothing, and nothing about them leaves the server."
      >
        <fieldset ref={tabs} aria-label="Who hands over the card" className="index reveal">
          {personas.map((persona, index) => (
            <Fragment key={persona.id}>
              <label className="pick heading">
                <input type="radio" name="persona" id={persona.id} value={persona.id} defaultChecked={index === 0} />
                {persona.name}
              </label>
              <PersonaPanel persona={persona} />
            </Fragment>
          ))}
        </fieldset>
      </Section>
    </div>
  );
}
