#include "apps/cli/version.hpp"

#include <fmt/format.h>

#include "apps/cli/report_output.hpp"
#include "apps/viewer/page.hpp"

namespace semirec::cli {

namespace {

/// Of what the compiler was told that the processor has, what the engine's lanes are made of.
std::string instructions() {
  std::string text = *kArchitecture != '\0' ? kArchitecture : "the compiler's default";
#if defined(__AVX512F__)
  text += ", with AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  text += ", with AVX2 and FMA";
#elif defined(__AVX__)
  text += ", with AVX";
#elif defined(__SSE2__)
  text += ", with SSE2";
#endif
  return text;
}

}  // namespace

std::string version_text() {
  const auto given = [](bool is) { return is ? "yes" : "no"; };
  return fmt::format(
      "{}\n"
      "commit        {}\n"
      "compiler      {}\n"
      "instructions  {}\n"
      "libraries     {}\n"
      "pages         {}\n"
      "MPI           {}\n"
      "Python        {}\n"
      "FMI           3.0 and 2.0",
      kVersion, kCommit, kCompiler, instructions(), kLibraries,
      given(!viewer::page_script().empty()), given(kHasRanks), given(kHasPython));
}

}  // namespace semirec::cli
