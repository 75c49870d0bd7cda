#include "vehicles/files/xml/schema.hpp"

#include "apps/cli/commands.hpp"
#include "apps/cli/terminal.hpp"

namespace semirec::cli {

void register_schema(Command& app, int& exit_code) {
  auto kind = std::make_shared<std::string>();
  Command* command = app.add_subcommand(
      "schema",
      "print the XML schema (XSD) of a kind of file, or the page that lists all elements");
  std::vector<std::string> kinds = schema_names();
  kinds.emplace_back("page");
  command->add_option("KIND", *kind, "vehicle, scenario, manoeuvre, study or page")
      ->required()
      ->choices(kinds);
  command->callback([kind, &exit_code] {
    say("{}", *kind == "page" ? make_reference_page() : make_schema(*kind));
    exit_code = kDone;
  });
}

}  // namespace semirec::cli
