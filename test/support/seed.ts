// The same random cases at every `npm test`: a red run says something about the change, not about the dice.
// AFTERWORD_TEST_SEED=random (or a number) looks elsewhere; the long modes, which name how many runs they want, always do.
import fc from 'fast-check';

const { AFTERWORD_TEST_SEED: seed = '20261121', AFTERWORD_TEST_RUNS: runs, CI } = process.env;

if (runs === undefined && seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
// With CI set a test that fails is tried again. To look for the smallest case, which takes a real engine long, is for a desk.
if (CI) fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
