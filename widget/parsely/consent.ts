// Consent mode: what newer installations (wp-parsely since 3.24) pass on of a reader's answer. Before an answer, views
// are counted without an id. After a no nothing is reported, unless the page allows views without an id.
import type { Afterword } from '../commands.ts';

/** Of the page's object, what says whether the reader agreed. */
export interface ConsentSettings {
  enable_consent_tracking?: unknown;
  /** True or false: answered on an earlier page, or no answer is needed. */
  initialConsent?: unknown;
  /** After a no, views are counted without an id. */
  emit_on_denied?: unknown;
}

export interface ConsentMode {
  /** Passes on what is known of the answer. */
  apply(afterword: Afterword): void;
  /** `PARSELY.setConsent`. */
  set(given: unknown): boolean;
}

/**
 * @param besides Whether `afterword.js` was here first: its tag decides whether views without an id are counted.
 * @param run Runs a call now, or when the page part is here.
 */
export function openConsentMode(
  settings: ConsentSettings,
  { dataset }: HTMLElement,
  besides: boolean,
  run: (call: (afterword: Afterword) => void) => void,
): ConsentMode {
  const own = dataset.consent;
  let answer = settings.enable_consent_tracking ? settings.initialConsent : true;
  let emits = settings.emit_on_denied;
  const hold = (): void => {
    dataset.consent = own || (answer === false && !emits ? 'required' : '');
  };
  // Until the page part has read it: no id is read or made.
  if (answer !== true) dataset.consent = 'required';
  Reflect.defineProperty(settings, 'emit_on_denied', {
    get: () => emits,
    set(value) {
      emits = value;
      hold();
    },
  });
  return {
    apply(afterword) {
      if (answer === true) return;
      hold();
      if (besides || answer === false) afterword.consent(false);
    },
    set(given) {
      const undecided = answer === undefined;
      answer = given === true;
      hold();
      run((afterword) => {
        // Plugins also say yes for readers who did not answer: signals of the browser stay in force.
        const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean };
        afterword.consent(answer === true && !globalPrivacyControl && doNotTrack !== '1');
        // Its view was counted before the answer.
        if (undecided) afterword.train();
      });
      return true;
    },
  };
}
