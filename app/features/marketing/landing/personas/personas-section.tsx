import { Fragment } from "react";

import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { LandingSection } from "#app/features/marketing/landing/section.tsx";

import { personas } from "./personas.ts";
import type { Persona, PersonaFeature } from "./personas.ts";

/** Who the product is for, as tabs made of radio buttons, which need no JavaScript. `/#features` and `/#recruiters` lead here too. */
export function PersonasSection() {
  return (
    <div id="features" className="scroll-mt-6">
      <LandingSection
        id="personas"
        eyebrow="Features"
        title="For people who hand out cards"
        intro="Your card opens in any browser, with nothing to install. No visitor data leaves the server."
      >
        <fieldset ref={selectTabOfHash} aria-label="Who it’s for" className="index reveal">
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
      </LandingSection>
    </div>
  );
}

/** The browser only scrolls to the tab that the URL's fragment names; this selects it. */
function selectTabOfHash(tabs: HTMLFieldSetElement) {
  const select = () => {
    const input = [...tabs.elements].find((element) => `#${element.id}` === location.hash);
    if (input instanceof HTMLInputElement) input.checked = true;
  };
  select();
  addEventListener("hashchange", select);
  return () => removeEventListener("hashchange", select);
}

/** A printed sheet: the story with its phone, and four cards that are not cut yet. */
function PersonaPanel({ persona: { title, story, image, features } }: { persona: Persona }) {
  return (
    <div className="crop sheet">
      <div className="story">
        <div>
          <h3 className="heading title">{title}</h3>
          <p>{story}</p>
        </div>
        <div className="phone">
          <img src={image} width={600} height={1200} loading="lazy" decoding="async" alt="" />
        </div>
      </div>
      {features.map((feature) => (
        <FeatureCard key={feature.title} feature={feature} />
      ))}
    </div>
  );
}

function FeatureCard({ feature: { title, text, textWithoutPlans, image } }: { feature: PersonaFeature }) {
  const hasPlans = usePremiumAccess() !== "everyone";
  return (
    <div>
      <img src={image} width={760} height={459} loading="lazy" decoding="async" alt="" />
      <h3>{title}</h3>
      <p>{hasPlans ? text : (textWithoutPlans ?? text)}</p>
    </div>
  );
}
