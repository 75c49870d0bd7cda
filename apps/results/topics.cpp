#include "apps/results/topics.hpp"

#include <algorithm>

#include "apps/results/json_text.hpp"

namespace semirec::results {

namespace {

/// `chassis` and `x` of `chassis.x`; `pin`, `z` and 1 of `pin.z[1]`; index -1: none.
struct Parts {
  std::string owner, field;
  int index = -1;
};

Parts split_name(const std::string& name) {
  Parts parts;
  std::string whole = name;
  const std::size_t bracket = name.rfind('[');
  if (bracket != std::string::npos && bracket > 0 && name.back() == ']') {
    const std::string digits = name.substr(bracket + 1, name.size() - bracket - 2);
    if (!digits.empty() && digits.size() < 5 &&
        digits.find_first_not_of("0123456789") == std::string::npos &&
        std::to_string(std::stoi(digits)) == digits) {
      parts.index = std::stoi(digits);
      whole.resize(bracket);
    }
  }
  const std::size_t dot = whole.rfind('.');
  parts.owner = dot == std::string::npos ? whole : whole.substr(0, dot);
  parts.field = dot == std::string::npos ? "value" : whole.substr(dot + 1);
  return parts;
}

/// Fields of a topic with their columns; more than one column: an array.
struct Field {
  std::string name;
  std::vector<std::size_t> columns;
  bool array = false;
};

struct Owner {
  std::string name;
  std::vector<Field> fields;
};

/// Where the column is no next entry of an array, its index is a part of the field's name.
void add_column(Owner& owner, const Parts& parts, std::size_t index) {
  Field* last = owner.fields.empty() ? nullptr : &owner.fields.back();
  if (parts.index > 0 && last != nullptr && last->array && last->name == parts.field &&
      last->columns.size() == static_cast<std::size_t>(parts.index)) {
    last->columns.push_back(index);
    return;
  }
  const auto taken = [&](const std::string& name) {
    return std::any_of(owner.fields.begin(), owner.fields.end(),
                       [&](const Field& field) { return field.name == name; });
  };
  const bool array = parts.index == 0 && !taken(parts.field);
  std::string name = parts.field;
  if (!array && parts.index >= 0) name += '[' + std::to_string(parts.index) + ']';
  while (taken(name)) name += '_';
  owner.fields.push_back({name, {index}, array});
}

Topic make_topic(const Owner& owner, const std::vector<Column>& columns) {
  Topic topic;
  topic.name = '/' + owner.name;
  topic.schema = R"({"title":)";
  put_quoted(topic.schema, owner.name);
  topic.schema += R"(,"type":"object","properties":{)";
  std::string text = "{";
  for (std::size_t f = 0; f < owner.fields.size(); ++f) {
    const Field& field = owner.fields[f];
    const Column& column = columns[field.columns.front()];
    if (f > 0) {
      text += ',';
      topic.schema += ',';
    }
    put_quoted(text, field.name);
    text += field.array ? ":[" : ":";
    put_quoted(topic.schema, field.name);
    topic.schema += field.array ? R"(:{"type":"array","items":{"type":["number","null"]})"
                                : R"(:{"type":["number","null"])";
    topic.schema += R"(,"description":)";
    put_quoted(topic.schema, column.unit.empty() ? column.description
                                                 : column.description + " [" + column.unit + ']');
    topic.schema += '}';
    for (std::size_t k = 0; k < field.columns.size(); ++k) {
      if (k > 0) text += ',';
      topic.before.push_back(std::move(text));
      text.clear();
      topic.columns.push_back(field.columns[k]);
    }
    if (field.array) text += ']';
  }
  topic.after = text + '}';
  topic.schema += "}}";
  return topic;
}

}  // namespace

std::vector<Topic> make_topics(const std::vector<Column>& columns) {
  std::vector<Owner> owners;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Parts parts = split_name(columns[k].name);
    auto owner = std::find_if(owners.begin(), owners.end(),
                              [&](const Owner& o) { return o.name == parts.owner; });
    if (owner == owners.end()) owner = owners.insert(owner, {parts.owner, {}});
    add_column(*owner, parts, k);
  }
  std::vector<Topic> topics;
  for (const Owner& owner : owners) topics.push_back(make_topic(owner, columns));
  return topics;
}

void put_message(std::string& out, const Topic& topic, const std::vector<double>& values) {
  for (std::size_t k = 0; k < topic.columns.size(); ++k) {
    out += topic.before[k];
    put_number(out, values[topic.columns[k]]);
  }
  out += topic.after;
}

}  // namespace semirec::results
